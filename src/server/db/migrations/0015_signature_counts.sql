CREATE TABLE "signature_count_changes" (
	"campanha" varchar(100) collate "C" NOT NULL,
	"estado" varchar(2) collate "C" NOT NULL,
	"hora" timestamp with time zone NOT NULL,
	"n" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "signature_totals" (
	"campanha" varchar(100) collate "C" PRIMARY KEY NOT NULL,
	"n" integer NOT NULL
);
--> statement-breakpoint
-- Logical replication refuses to delete from a table without a key.
ALTER TABLE "signature_count_changes" REPLICA IDENTITY FULL;--> statement-breakpoint
INSERT INTO "signature_totals" ("campanha", "n") SELECT "campanha", sum("n") FROM "peticoes_por_hora" GROUP BY 1;--> statement-breakpoint
DELETE FROM "contadores" WHERE "nome" = 'assinaturas-removidas';
