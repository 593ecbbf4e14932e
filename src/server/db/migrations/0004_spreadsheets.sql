CREATE TABLE "planilhas" (
	"nome" varchar(200) PRIMARY KEY NOT NULL,
	"dono" uuid,
	"donoAte" timestamp with time zone,
	"escritas" timestamp with time zone[] DEFAULT '{}' NOT NULL,
	"sucessoEm" timestamp with time zone,
	"falhaEm" timestamp with time zone,
	"motivo" text
);
