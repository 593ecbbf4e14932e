ALTER TABLE "admin_actions" ADD COLUMN "session" varchar(12);--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "address" varchar(45);--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "position" bigint;--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "hash" "bytea";--> statement-breakpoint
ALTER TABLE "admin_users" ADD COLUMN "mustChangePassword" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_users" ADD COLUMN "refusedCount" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "admin_users" ADD COLUMN "refusedSince" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "admin_users" ADD COLUMN "refusedNoticeAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "admin_actions" ADD CONSTRAINT "admin_actions_position" UNIQUE("position");--> statement-breakpoint
-- One value of an audit entry: its length in bytes and its text, so that no two entries have the same encoding.
CREATE OR REPLACE FUNCTION audit_field(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
	SELECT coalesce(octet_length(convert_to(value, 'UTF8')) || ':' || value, '-') || ','
$$;
--> statement-breakpoint
-- The same encoding is in src/server/db/audit-chain.ts. A change of it would make every stored hash wrong.
CREATE OR REPLACE FUNCTION audit_hash(previous bytea, entry admin_actions) RETURNS bytea LANGUAGE sql STABLE AS $$
	SELECT sha256(previous || convert_to(
		public.audit_field(entry."position"::text) || public.audit_field(entry.id::text) ||
		public.audit_field(((extract(epoch from entry."createdAt") * 1000000)::bigint)::text) ||
		public.audit_field(entry.username::text) || public.audit_field(entry.action::text) ||
		public.audit_field(entry.target) || public.audit_field(entry.changes::text) ||
		public.audit_field(entry.session::text) || public.audit_field(entry.address::text), 'UTF8'))
$$;
--> statement-breakpoint
-- Runs at commit, so that the lock is the last one of a transaction and is held only while it commits. The rights are
-- those of the owner: the role of the site cannot change entries (deploy/postgresql/roles.sql).
CREATE OR REPLACE FUNCTION audit_chain() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
	entry admin_actions;
	previous bytea;
BEGIN
	PERFORM pg_advisory_xact_lock(7266456);
	SELECT * INTO entry FROM admin_actions WHERE id = NEW.id AND "position" IS NULL;
	IF NOT FOUND THEN RETURN NULL; END IF;
	SELECT "position" + 1, hash INTO entry."position", previous FROM admin_actions
		WHERE "position" IS NOT NULL ORDER BY "position" DESC LIMIT 1;
	entry."position" := coalesce(entry."position", 1);
	UPDATE admin_actions SET "position" = entry."position", hash = audit_hash(coalesce(previous, '\x'), entry) WHERE id = entry.id;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Entries of earlier versions are the beginning of the chain, in the order of their ids.
DO $$
DECLARE
	entry admin_actions;
	last bytea := '\x';
	n bigint := 0;
BEGIN
	FOR entry IN SELECT * FROM admin_actions ORDER BY id LOOP
		n := n + 1;
		entry."position" := n;
		last := audit_hash(last, entry);
		UPDATE admin_actions SET "position" = n, hash = last WHERE id = entry.id;
	END LOOP;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER audit_chain AFTER INSERT ON "admin_actions" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (NEW."position" IS NULL) EXECUTE FUNCTION audit_chain();
