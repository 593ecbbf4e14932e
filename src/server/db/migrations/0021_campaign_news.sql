CREATE TABLE "news" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "news_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"campaignId" bigint NOT NULL,
	"number" integer,
	"title" varchar(200) NOT NULL,
	"html" text NOT NULL,
	"imageUrl" varchar(500),
	"status" varchar(10) DEFAULT 'draft' NOT NULL,
	"onPage" boolean DEFAULT true NOT NULL,
	"byEmail" boolean DEFAULT false NOT NULL,
	"segment" jsonb NOT NULL,
	"publishAt" timestamp with time zone,
	"publishedAt" timestamp with time zone,
	"revision" integer DEFAULT 1 NOT NULL,
	"author" varchar(50) NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "news_number" UNIQUE("campaignId","number")
);
--> statement-breakpoint
CREATE TABLE "news_opt_outs" (
	"addressDigest" "bytea" NOT NULL,
	"campaignId" bigint NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "news_opt_outs_addressDigest_campaignId_pk" PRIMARY KEY("addressDigest","campaignId")
);
--> statement-breakpoint
CREATE TABLE "news_recipients" (
	"newsId" bigint NOT NULL,
	"addressDigest" "bytea" NOT NULL,
	"kind" varchar(20) collate "C" NOT NULL,
	"recordId" uuid NOT NULL,
	"outcome" varchar(10),
	CONSTRAINT "news_recipients_newsId_addressDigest_pk" PRIMARY KEY("newsId","addressDigest")
);
--> statement-breakpoint
CREATE TABLE "news_segments" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "news_segments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" varchar(60) NOT NULL,
	"segment" jsonb NOT NULL,
	"author" varchar(50) NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "news_segments_name_unique" UNIQUE("name")
);
--> statement-breakpoint
CREATE TABLE "news_sends" (
	"newsId" bigint PRIMARY KEY NOT NULL,
	"status" varchar(10) NOT NULL,
	"sendsWhenPrepared" boolean DEFAULT false NOT NULL,
	"segment" jsonb NOT NULL,
	"scannedKind" varchar(20) collate "C",
	"scannedUpTo" uuid,
	"toScan" integer DEFAULT 0 NOT NULL,
	"scanned" integer DEFAULT 0 NOT NULL,
	"recipients" integer DEFAULT 0 NOT NULL,
	"excluded" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"preparedAt" timestamp with time zone,
	"queuedUpTo" "bytea",
	"isQueued" boolean DEFAULT false NOT NULL,
	"accepted" integer DEFAULT 0 NOT NULL,
	"rejected" integer DEFAULT 0 NOT NULL,
	"skipped" integer DEFAULT 0 NOT NULL,
	"unsubscribed" integer DEFAULT 0 NOT NULL,
	"startedAt" timestamp with time zone,
	"endedAt" timestamp with time zone,
	"leasedBy" uuid,
	"leasedUntil" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "confirmadoEm" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "email_tokens" ADD COLUMN "newsId" bigint;--> statement-breakpoint
ALTER TABLE "enderecos" ADD COLUMN "suppressionKind" varchar(20);--> statement-breakpoint
ALTER TABLE "enderecos" ADD COLUMN "suppressionDetail" text;--> statement-breakpoint
ALTER TABLE "enderecos" ADD COLUMN "suppressedEmail" varchar(254);--> statement-breakpoint
ALTER TABLE "enderecos" ADD COLUMN "newsSentOn" date;--> statement-breakpoint
ALTER TABLE "enderecos" ADD COLUMN "newsSentCount" integer;--> statement-breakpoint
ALTER TABLE "influenciadores" ADD COLUMN "confirmadoEm" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "lideres" ADD COLUMN "confirmadoEm" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "news" ADD CONSTRAINT "news_campaignId_campaigns_id_fk" FOREIGN KEY ("campaignId") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news_opt_outs" ADD CONSTRAINT "news_opt_outs_campaignId_campaigns_id_fk" FOREIGN KEY ("campaignId") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "news_sends" ADD CONSTRAINT "news_sends_newsId_news_id_fk" FOREIGN KEY ("newsId") REFERENCES "public"."news"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "news_publish_at" ON "news" USING btree ("publishAt") WHERE status = 'scheduled';--> statement-breakpoint
CREATE INDEX "enderecos_suppressed" ON "enderecos" USING btree ("rejectedAt","addressDigest") WHERE "rejectedAt" is not null;--> statement-breakpoint
CREATE OR REPLACE FUNCTION esquecer_pessoa() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM busca_pessoas WHERE kind = TG_ARGV[0] AND id = OLD.id;
	DELETE FROM people_workflow WHERE kind = TG_ARGV[0] AND id = OLD.id;
	DELETE FROM people_notes WHERE kind = TG_ARGV[0] AND "recordId" = OLD.id;
	WITH gone AS (
		DELETE FROM news_recipients r USING news_sends s
		WHERE r."newsId" = s."newsId" AND r."recordId" = OLD.id
			AND r."addressDigest" = sha256(convert_to(regexp_replace(OLD."canonicalEmail", '^([^+]+)\+.*(@[^@]*)$', '\1\2'), 'UTF8'))
		RETURNING r."newsId", r.outcome)
	UPDATE news_sends s SET skipped = skipped + 1 FROM gone WHERE s."newsId" = gone."newsId" AND gone.outcome IS NULL;
	RETURN NULL;
END $$;
