CREATE TABLE "address_keys" (
	"id" integer PRIMARY KEY NOT NULL,
	"key" "bytea" NOT NULL,
	"isEncrypted" boolean NOT NULL,
	"fingerprint" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "erased_people" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "erased_people_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"mailboxHmac" "bytea" NOT NULL,
	"erasedAt" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "erased_people_at" ON "erased_people" USING btree ("erasedAt");--> statement-breakpoint
CREATE INDEX "email_tokens_address" ON "email_tokens" USING btree ("addressDigest");