CREATE TABLE "admin_devices" (
	"tokenHash" text NOT NULL,
	"adminUserId" bigint NOT NULL,
	"lastUsedAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "admin_devices_adminUserId_tokenHash_pk" PRIMARY KEY("adminUserId","tokenHash")
);
--> statement-breakpoint
ALTER TABLE "admin_devices" ADD CONSTRAINT "admin_devices_adminUserId_admin_users_id_fk" FOREIGN KEY ("adminUserId") REFERENCES "public"."admin_users"("id") ON DELETE cascade ON UPDATE no action;