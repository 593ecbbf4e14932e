CREATE TABLE "address_keys" (
	"id" integer PRIMARY KEY NOT NULL,
	"key" "bytea" NOT NULL,
	"isEncrypted" boolean NOT NULL,
	"fingerprint" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admin_challenges" (
	"tokenHash" text PRIMARY KEY NOT NULL,
	"adminUserId" bigint NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admin_recovery_codes" (
	"adminUserId" bigint NOT NULL,
	"codeHash" text NOT NULL,
	CONSTRAINT "admin_recovery_codes_adminUserId_codeHash_pk" PRIMARY KEY("adminUserId","codeHash")
);
--> statement-breakpoint
CREATE TABLE "admin_totp" (
	"adminUserId" bigint PRIMARY KEY NOT NULL,
	"secret" "bytea",
	"pendingSecret" "bytea",
	"lastStep" bigint
);
--> statement-breakpoint
CREATE TABLE "erased_people" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "erased_people_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"mailboxHmac" "bytea" NOT NULL,
	"erasedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "lideres" ALTER COLUMN "nascimento" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "lideres" ALTER COLUMN "endereco" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "lideres" ALTER COLUMN "cep" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_sessions" ADD COLUMN "verifiedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "admin_users" ADD COLUMN "role" varchar(20) DEFAULT 'coordenacao' NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "countingMode" varchar(10) DEFAULT 'signed' NOT NULL;--> statement-breakpoint
ALTER TABLE "email_tokens" ADD COLUMN "sealedAddress" "bytea";--> statement-breakpoint
ALTER TABLE "lideres" ADD COLUMN "encryptedReserved" "bytea";--> statement-breakpoint
ALTER TABLE "peticoes_por_hora" ADD COLUMN "confirmed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_challenges" ADD CONSTRAINT "admin_challenges_adminUserId_admin_users_id_fk" FOREIGN KEY ("adminUserId") REFERENCES "public"."admin_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_recovery_codes" ADD CONSTRAINT "admin_recovery_codes_adminUserId_admin_users_id_fk" FOREIGN KEY ("adminUserId") REFERENCES "public"."admin_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_totp" ADD CONSTRAINT "admin_totp_adminUserId_admin_users_id_fk" FOREIGN KEY ("adminUserId") REFERENCES "public"."admin_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "erased_people_at" ON "erased_people" USING btree ("erasedAt");--> statement-breakpoint
CREATE INDEX "email_tokens_address" ON "email_tokens" USING btree ("addressDigest");--> statement-breakpoint
CREATE INDEX "lideres_not_encrypted" ON "lideres" USING btree ("id") WHERE "encryptedReserved" is null;--> statement-breakpoint
-- Confirmations are counted in the hour in which they happened, so that those of today are known.
CREATE OR REPLACE FUNCTION count_confirmed_signature() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD."confirmadoEm" IS NOT NULL THEN
		INSERT INTO signature_count_changes (campanha, estado, hora, n, confirmed)
		VALUES (OLD.campanha, OLD.estado, date_trunc('hour', OLD."confirmadoEm"), 0, -1);
	END IF;
	IF TG_OP = 'UPDATE' AND NEW."confirmadoEm" IS NOT NULL THEN
		INSERT INTO signature_count_changes (campanha, estado, hora, n, confirmed)
		VALUES (NEW.campanha, NEW.estado, date_trunc('hour', NEW."confirmadoEm"), 0, 1);
	END IF;
	RETURN NULL;
END $$;
