CREATE TABLE "bot_mensagens" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bot_mensagens_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"conversaId" bigint NOT NULL,
	"chave" varchar(43) collate "C" NOT NULL,
	"mensagem" text,
	"respostaBot" text,
	"midiaUrl" text,
	"quando" timestamp with time zone NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "bot_conversas" ADD COLUMN "telefone" varchar(10) collate "C";--> statement-breakpoint
ALTER TABLE "bot_conversas" ADD COLUMN "ultimaEm" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "bot_conversas" ADD COLUMN "statusEm" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "bot_mensagens" ADD CONSTRAINT "bot_mensagens_conversaId_bot_conversas_id_fk" FOREIGN KEY ("conversaId") REFERENCES "public"."bot_conversas"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bot_mensagens_chave" ON "bot_mensagens" USING btree ("conversaId","chave");--> statement-breakpoint
CREATE INDEX "bot_mensagens_quando" ON "bot_mensagens" USING btree ("conversaId","quando","id") WHERE coalesce(mensagem, "respostaBot", "midiaUrl") is not null;--> statement-breakpoint
CREATE INDEX "bot_conversas_ultima" ON "bot_conversas" USING btree ("ultimaEm","id");--> statement-breakpoint
CREATE INDEX "bot_conversas_status" ON "bot_conversas" USING btree ("status","ultimaEm","id");--> statement-breakpoint
CREATE INDEX "bot_conversas_criada" ON "bot_conversas" USING btree ("createdAt");--> statement-breakpoint
CREATE INDEX "bot_conversas_com_email" ON "bot_conversas" USING btree ("id") WHERE email is not null;--> statement-breakpoint
CREATE INDEX "bot_conversas_com_whatsapp" ON "bot_conversas" USING btree ("id") WHERE whatsapp is not null;--> statement-breakpoint
CREATE INDEX "bot_conversas_telefone" ON "bot_conversas" USING btree (right(telefone, 8));--> statement-breakpoint
CREATE INDEX "bot_conversas_palavras" ON "bot_conversas" USING gin (to_tsvector('simple', lower(translate(coalesce(nome, '') || ' ' || coalesce(email, ''), 'áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ@.-_+/:&?=~#%', 'aaaaaeeeeiiiiooooouuuucnaaaaaeeeeiiiiooooouuuucn             '))));