ALTER TABLE "peticoes_por_hora" DROP CONSTRAINT "peticoes_por_hora_campanha_estado_hora_pk";--> statement-breakpoint
ALTER TABLE "peticoes" ALTER COLUMN "campanha" SET DATA TYPE varchar(100) collate "C";--> statement-breakpoint
ALTER TABLE "peticoes" ALTER COLUMN "campanha" SET DEFAULT 'juros';--> statement-breakpoint
ALTER TABLE "peticoes" ALTER COLUMN "emailCanonico" SET DATA TYPE varchar(254) collate "C";--> statement-breakpoint
ALTER TABLE "peticoes_por_hora" ALTER COLUMN "campanha" SET DATA TYPE varchar(100) collate "C";--> statement-breakpoint
ALTER TABLE "peticoes_por_hora" ALTER COLUMN "estado" SET DATA TYPE varchar(2) collate "C";--> statement-breakpoint
ALTER TABLE "peticoes_por_hora" ADD CONSTRAINT "peticoes_por_hora_hora_campanha_estado_pk" PRIMARY KEY("hora","campanha","estado");