ALTER TABLE "email_tokens" ADD COLUMN "newsAskedAt" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "emails_por_endereco" ADD COLUMN "newsAskedAt" timestamp with time zone;