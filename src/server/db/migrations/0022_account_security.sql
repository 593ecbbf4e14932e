ALTER TABLE "admin_actions" ADD COLUMN "session" varchar(12);--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "address" varchar(45);--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "position" bigint;--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "hash" "bytea";--> statement-breakpoint
ALTER TABLE "admin_users" ADD COLUMN "mustChangePassword" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_users" ADD COLUMN "refusedCount" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_users" ADD COLUMN "refusedSince" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "admin_users" ADD COLUMN "refusedNoticeAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "admin_actions" ADD CONSTRAINT "admin_actions_position" UNIQUE("position");