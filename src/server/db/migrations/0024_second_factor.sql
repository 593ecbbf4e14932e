CREATE TABLE "admin_challenges" (
	"tokenHash" text PRIMARY KEY NOT NULL,
	"purpose" varchar(20) NOT NULL,
	"adminUserId" bigint,
	"attempts" integer DEFAULT 0 NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admin_passkeys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_passkeys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"adminUserId" bigint NOT NULL,
	"name" varchar(60) NOT NULL,
	"credentialId" text NOT NULL,
	"publicKey" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] DEFAULT '{}' NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"lastUsedAt" timestamp with time zone,
	CONSTRAINT "admin_passkeys_credential" UNIQUE("credentialId")
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
ALTER TABLE "admin_sessions" ADD COLUMN "verifiedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "admin_challenges" ADD CONSTRAINT "admin_challenges_adminUserId_admin_users_id_fk" FOREIGN KEY ("adminUserId") REFERENCES "public"."admin_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_passkeys" ADD CONSTRAINT "admin_passkeys_adminUserId_admin_users_id_fk" FOREIGN KEY ("adminUserId") REFERENCES "public"."admin_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_recovery_codes" ADD CONSTRAINT "admin_recovery_codes_adminUserId_admin_users_id_fk" FOREIGN KEY ("adminUserId") REFERENCES "public"."admin_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "admin_totp" ADD CONSTRAINT "admin_totp_adminUserId_admin_users_id_fk" FOREIGN KEY ("adminUserId") REFERENCES "public"."admin_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "admin_passkeys_user" ON "admin_passkeys" USING btree ("adminUserId");