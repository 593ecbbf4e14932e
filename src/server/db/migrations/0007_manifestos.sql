CREATE TABLE "manifestos" (
	"campaignId" bigint NOT NULL,
	"versao" integer NOT NULL,
	"html" text NOT NULL,
	"autor" varchar(50),
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "manifestos_campaignId_versao_pk" PRIMARY KEY("campaignId","versao")
);
--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "versaoManifesto" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "revisao" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "alteradaPor" varchar(50);--> statement-breakpoint
ALTER TABLE "manifestos" ADD CONSTRAINT "manifestos_campaignId_campaigns_id_fk" FOREIGN KEY ("campaignId") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
INSERT INTO "manifestos" ("campaignId", "versao", "html", "createdAt") SELECT "id", 1, "manifestoHtml", "createdAt" FROM "campaigns";--> statement-breakpoint
ALTER TABLE "peticoes" ADD COLUMN "versaoManifesto" integer;