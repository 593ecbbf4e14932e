CREATE TABLE "admin_passkeys" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_passkeys_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"adminUserId" bigint NOT NULL,
	"credentialId" text NOT NULL,
	"publicKey" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] DEFAULT '{}' NOT NULL,
	"name" varchar(60) NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"lastUsedAt" timestamp with time zone,
	CONSTRAINT "admin_passkeys_credentialId_unique" UNIQUE("credentialId")
);
--> statement-breakpoint
ALTER TABLE "admin_passkeys" ADD CONSTRAINT "admin_passkeys_adminUserId_admin_users_id_fk" FOREIGN KEY ("adminUserId") REFERENCES "public"."admin_users"("id") ON DELETE cascade ON UPDATE no action;