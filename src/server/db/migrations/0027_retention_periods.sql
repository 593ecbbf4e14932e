CREATE TABLE "erased_signature_cities" (
	"campanha" varchar(100) collate "C" NOT NULL,
	"estado" varchar(2) collate "C" NOT NULL,
	"cidade" varchar(120) collate "C" NOT NULL,
	"versaoManifesto" integer NOT NULL,
	"n" integer NOT NULL,
	"confirmed" integer NOT NULL,
	CONSTRAINT "erased_signature_cities_pk" PRIMARY KEY("campanha","estado","cidade","versaoManifesto")
);
--> statement-breakpoint
CREATE TABLE "erased_signature_origins" (
	"campanha" varchar(100) collate "C" NOT NULL,
	"origem" varchar(60) collate "C" NOT NULL,
	"dia" date NOT NULL,
	"n" integer NOT NULL,
	CONSTRAINT "erased_signature_origins_pk" PRIMARY KEY("campanha","origem","dia")
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "endedAt" timestamp with time zone;--> statement-breakpoint
-- When earlier campaigns ended is not known: their periods begin now.
UPDATE "campaigns" SET "endedAt" = now() WHERE "status" IN ('closed', 'won');--> statement-breakpoint
CREATE OR REPLACE FUNCTION set_campaign_end() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."endedAt" := CASE WHEN NEW."status" IN ('closed', 'won') THEN coalesce(OLD."endedAt", now()) END;
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER set_campaign_end BEFORE UPDATE OF "status" ON "campaigns" FOR EACH ROW
EXECUTE FUNCTION set_campaign_end();
