CREATE TABLE "contadores" (
	"nome" varchar(40) PRIMARY KEY NOT NULL,
	"n" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "destinos" (
	"nome" varchar(40) PRIMARY KEY NOT NULL,
	"livreEm" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "email_tokens" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"acao" varchar(20) NOT NULL,
	"endereco" "bytea" NOT NULL,
	"registro" uuid,
	"expiraEm" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "emails_por_endereco" (
	"endereco" "bytea" NOT NULL,
	"campanha" varchar(100) collate "C" NOT NULL,
	"n" integer NOT NULL,
	CONSTRAINT "emails_por_endereco_endereco_campanha_pk" PRIMARY KEY("endereco","campanha")
);
--> statement-breakpoint
CREATE TABLE "enderecos" (
	"endereco" "bytea" PRIMARY KEY NOT NULL,
	"descadastradoEm" timestamp with time zone,
	"recusadoEm" timestamp with time zone,
	"avisadoEm" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "outbox" ADD COLUMN "reserva" uuid;--> statement-breakpoint
CREATE INDEX "email_tokens_expira" ON "email_tokens" USING btree ("expiraEm");--> statement-breakpoint
CREATE INDEX "outbox_tipo" ON "outbox" USING btree ("tipo","proxima","id") WHERE not parada;--> statement-breakpoint
CREATE INDEX "outbox_paradas" ON "outbox" USING btree ("id") WHERE parada;