CREATE TABLE "busca_pessoas" (
	"tipo" varchar(20) collate "C" NOT NULL,
	"id" uuid NOT NULL,
	"palavras" "tsvector" NOT NULL,
	CONSTRAINT "busca_pessoas_tipo_id_pk" PRIMARY KEY("tipo","id")
);
--> statement-breakpoint
CREATE TABLE "busca_pessoas_marcas" (
	"tipo" varchar(20) collate "C" NOT NULL,
	"folga" integer NOT NULL,
	"ate" uuid NOT NULL,
	CONSTRAINT "busca_pessoas_marcas_tipo_folga_pk" PRIMARY KEY("tipo","folga")
);
--> statement-breakpoint
CREATE INDEX "busca_pessoas_palavras" ON "busca_pessoas" USING gin ("palavras") WITH (gin_pending_list_limit=512);--> statement-breakpoint
CREATE OR REPLACE FUNCTION esquecer_pessoa() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM busca_pessoas WHERE tipo = TG_ARGV[0] AND id = OLD.id;
	RETURN NULL;
END $$;
--> statement-breakpoint
CREATE TRIGGER esquecer_pessoa AFTER DELETE ON "peticoes" FOR EACH ROW EXECUTE FUNCTION esquecer_pessoa('assinaturas');--> statement-breakpoint
CREATE TRIGGER esquecer_pessoa AFTER DELETE ON "contacts" FOR EACH ROW EXECUTE FUNCTION esquecer_pessoa('voluntarios');--> statement-breakpoint
CREATE TRIGGER esquecer_pessoa AFTER DELETE ON "influenciadores" FOR EACH ROW EXECUTE FUNCTION esquecer_pessoa('influenciadores');--> statement-breakpoint
CREATE TRIGGER esquecer_pessoa AFTER DELETE ON "lideres" FOR EACH ROW EXECUTE FUNCTION esquecer_pessoa('lideres');
