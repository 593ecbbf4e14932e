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
-- The same encoding is in src/server/db/audit-chain.ts. A change of it would make every stored hash wrong. The
-- function has no parameter of the row type: the table could not be dropped.
CREATE OR REPLACE FUNCTION audit_hash(previous bytea, n bigint, id bigint, "createdAt" timestamptz, username text, action text, target text, changes jsonb, session text, address text) RETURNS bytea LANGUAGE sql STABLE AS $$
	SELECT sha256(previous || convert_to(
		public.audit_field(n::text) || public.audit_field(id::text) ||
		public.audit_field(((extract(epoch from "createdAt") * 1000000)::bigint)::text) ||
		public.audit_field(username) || public.audit_field(action) || public.audit_field(target) ||
		public.audit_field(changes::text) || public.audit_field(session) || public.audit_field(address), 'UTF8'))
$$;
--> statement-breakpoint
-- Runs at commit, so that the lock is the last one of a transaction and is held only while it commits. The rights are
-- those of the owner: the role of the site cannot change entries (deploy/postgresql/roles.sql).
CREATE OR REPLACE FUNCTION audit_chain() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
	entry record;
	previous bytea;
	n bigint;
BEGIN
	PERFORM pg_advisory_xact_lock(7266456);
	SELECT * INTO entry FROM admin_actions WHERE id = NEW.id AND "position" IS NULL;
	IF NOT FOUND THEN RETURN NULL; END IF;
	SELECT "position" + 1, hash INTO n, previous FROM admin_actions
		WHERE "position" IS NOT NULL ORDER BY "position" DESC LIMIT 1;
	n := coalesce(n, 1);
	UPDATE admin_actions SET "position" = n, hash = audit_hash(coalesce(previous, '\x'), n, entry.id, entry."createdAt",
		entry.username, entry.action, entry.target, entry.changes, entry.session, entry.address) WHERE id = entry.id;
	RETURN NULL;
END $$;
--> statement-breakpoint
-- Entries of earlier versions are the beginning of the chain, in the order of their ids.
DO $$
DECLARE
	entry record;
	last bytea := '\x';
	n bigint := 0;
BEGIN
	FOR entry IN SELECT * FROM admin_actions ORDER BY id LOOP
		n := n + 1;
		last := audit_hash(last, n, entry.id, entry."createdAt", entry.username, entry.action, entry.target, entry.changes,
			entry.session, entry.address);
		UPDATE admin_actions SET "position" = n, hash = last WHERE id = entry.id;
	END LOOP;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER audit_chain AFTER INSERT ON "admin_actions" DEFERRABLE INITIALLY DEFERRED
	FOR EACH ROW WHEN (NEW."position" IS NULL) EXECUTE FUNCTION audit_chain();
