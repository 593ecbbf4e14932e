ALTER TABLE "email_tokens" RENAME COLUMN "addressDigest" TO "addressHmac";--> statement-breakpoint
ALTER TABLE "emails_por_endereco" RENAME COLUMN "addressDigest" TO "addressHmac";--> statement-breakpoint
ALTER TABLE "enderecos" RENAME COLUMN "addressDigest" TO "addressHmac";--> statement-breakpoint
ALTER TABLE "news_opt_outs" RENAME COLUMN "addressDigest" TO "addressHmac";--> statement-breakpoint
ALTER TABLE "news_recipients" RENAME COLUMN "addressDigest" TO "addressHmac";--> statement-breakpoint
ALTER TABLE "emails_por_endereco" RENAME CONSTRAINT "emails_por_endereco_addressDigest_campanha_pk" TO "emails_por_endereco_addressHmac_campanha_pk";--> statement-breakpoint
ALTER TABLE "news_opt_outs" RENAME CONSTRAINT "news_opt_outs_addressDigest_campaignId_pk" TO "news_opt_outs_addressHmac_campaignId_pk";--> statement-breakpoint
ALTER TABLE "news_recipients" RENAME CONSTRAINT "news_recipients_newsId_addressDigest_pk" TO "news_recipients_newsId_addressHmac_pk";--> statement-breakpoint
ALTER TABLE "address_keys" ADD COLUMN "isInUse" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "news_recipients_record" ON "news_recipients" USING btree ("recordId");--> statement-breakpoint
CREATE OR REPLACE FUNCTION esquecer_pessoa() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM busca_pessoas WHERE kind = TG_ARGV[0] AND id = OLD.id;
	DELETE FROM people_workflow WHERE kind = TG_ARGV[0] AND id = OLD.id;
	DELETE FROM people_notes WHERE kind = TG_ARGV[0] AND "recordId" = OLD.id;
	WITH gone AS (
		DELETE FROM news_recipients WHERE "recordId" = OLD.id AND kind = TG_ARGV[0] RETURNING "newsId", outcome)
	UPDATE news_sends s SET skipped = skipped + 1 FROM gone WHERE s."newsId" = gone."newsId" AND gone.outcome IS NULL;
	RETURN NULL;
END $$;
