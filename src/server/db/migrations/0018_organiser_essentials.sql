CREATE TABLE "import_rejections" (
	"importId" bigint NOT NULL,
	"line" integer NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "import_rejections_importId_line_pk" PRIMARY KEY("importId","line")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" varchar(20) collate "C" NOT NULL,
	"status" varchar(20) DEFAULT 'staged' NOT NULL,
	"fileName" varchar(200) NOT NULL,
	"file" "bytea",
	"mapping" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"campanha" varchar(100) collate "C",
	"origem" varchar(60),
	"legalBasis" text,
	"total" integer DEFAULT 0 NOT NULL,
	"processed" integer DEFAULT 0 NOT NULL,
	"accepted" integer DEFAULT 0 NOT NULL,
	"rejected" integer DEFAULT 0 NOT NULL,
	"reason" text,
	"author" varchar(50) NOT NULL,
	"leasedBy" uuid,
	"leasedUntil" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "people_notes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "people_notes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" varchar(20) collate "C" NOT NULL,
	"recordId" uuid NOT NULL,
	"author" varchar(50) NOT NULL,
	"text" text NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "people_workflow" (
	"kind" varchar(20) collate "C" NOT NULL,
	"id" uuid NOT NULL,
	"status" varchar(20) DEFAULT 'novo' NOT NULL,
	"ownerId" bigint,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "people_workflow_kind_id_pk" PRIMARY KEY("kind","id")
);
--> statement-breakpoint
CREATE TABLE "saved_filters" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "saved_filters_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" varchar(20) collate "C" NOT NULL,
	"name" varchar(60) NOT NULL,
	"filters" jsonb NOT NULL,
	"author" varchar(50) NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_filters_name" UNIQUE("kind","name")
);
--> statement-breakpoint
CREATE TABLE "site_settings" (
	"version" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "site_settings_version_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"settings" jsonb NOT NULL,
	"author" varchar(50),
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "status" varchar(10) DEFAULT 'live' NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "meta" integer;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "ordem" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "publishAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "closeAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "resultHtml" text;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "shareTexts" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "carousel_contents" ADD COLUMN "campaignId" bigint;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "origem" varchar(60);--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "importId" bigint;--> statement-breakpoint
ALTER TABLE "influenciadores" ADD COLUMN "origem" varchar(60);--> statement-breakpoint
ALTER TABLE "influenciadores" ADD COLUMN "importId" bigint;--> statement-breakpoint
ALTER TABLE "lideres" ADD COLUMN "origem" varchar(60);--> statement-breakpoint
ALTER TABLE "lideres" ADD COLUMN "importId" bigint;--> statement-breakpoint
ALTER TABLE "peticoes" ADD COLUMN "origem" varchar(60);--> statement-breakpoint
ALTER TABLE "peticoes" ADD COLUMN "importId" bigint;--> statement-breakpoint
ALTER TABLE "signature_count_changes" ADD COLUMN "confirmed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "signature_totals" ADD COLUMN "confirmed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "import_rejections" ADD CONSTRAINT "import_rejections_importId_imports_id_fk" FOREIGN KEY ("importId") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "people_workflow" ADD CONSTRAINT "people_workflow_ownerId_admin_users_id_fk" FOREIGN KEY ("ownerId") REFERENCES "public"."admin_users"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "people_notes_record" ON "people_notes" USING btree ("kind","recordId","id");--> statement-breakpoint
CREATE INDEX "people_workflow_status" ON "people_workflow" USING btree ("kind","status","id");--> statement-breakpoint
CREATE INDEX "people_workflow_owner" ON "people_workflow" USING btree ("ownerId");--> statement-breakpoint
CREATE INDEX "people_workflow_tags" ON "people_workflow" USING gin ("tags");--> statement-breakpoint
ALTER TABLE "carousel_contents" ADD CONSTRAINT "carousel_contents_campaignId_campaigns_id_fk" FOREIGN KEY ("campaignId") REFERENCES "public"."campaigns"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
UPDATE "campaigns" SET "ordem" = "id";--> statement-breakpoint
INSERT INTO "signature_totals" ("campanha", "n", "confirmed")
SELECT "campanha", 0, count(*) FROM "peticoes" WHERE "confirmadoEm" IS NOT NULL GROUP BY 1
ON CONFLICT ("campanha") DO UPDATE SET "confirmed" = excluded."confirmed";--> statement-breakpoint
CREATE OR REPLACE FUNCTION esquecer_pessoa() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM busca_pessoas WHERE kind = TG_ARGV[0] AND id = OLD.id;
	DELETE FROM people_workflow WHERE kind = TG_ARGV[0] AND id = OLD.id;
	DELETE FROM people_notes WHERE kind = TG_ARGV[0] AND "recordId" = OLD.id;
	RETURN NULL;
END $$;
