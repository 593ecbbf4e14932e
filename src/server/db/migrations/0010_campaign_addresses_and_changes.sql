CREATE TABLE "campaign_old_slugs" (
	"slug" varchar(100) collate "C" PRIMARY KEY NOT NULL,
	"campaignId" bigint NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "admin_actions" ADD COLUMN "changes" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "campaign_old_slugs" ADD CONSTRAINT "campaign_old_slugs_campaignId_campaigns_id_fk" FOREIGN KEY ("campaignId") REFERENCES "public"."campaigns"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "campaign_old_slugs_campaign" ON "campaign_old_slugs" USING btree ("campaignId");