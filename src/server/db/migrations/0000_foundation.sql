CREATE TABLE "admin_sessions" (
	"tokenHash" text PRIMARY KEY NOT NULL,
	"adminUserId" bigint NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"lastSeenAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "admin_users" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "admin_users_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"username" varchar(50) NOT NULL,
	"password" varchar(255) NOT NULL,
	"email" varchar(100) NOT NULL,
	"isActive" boolean DEFAULT true NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "admin_users_username_unique" UNIQUE("username"),
	CONSTRAINT "admin_users_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "bot_conversas" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "bot_conversas_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"subscriberId" varchar(100) NOT NULL,
	"nome" varchar(200),
	"email" varchar(254),
	"whatsapp" varchar(25),
	"mensagem" text,
	"respostaBot" text,
	"tags" text[] DEFAULT '{}' NOT NULL,
	"customFields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"status" varchar(20) DEFAULT 'active' NOT NULL,
	"origem" varchar(50) DEFAULT 'botconversa' NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "bot_conversas_subscriberId_unique" UNIQUE("subscriberId")
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "campaigns_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"slug" varchar(100) NOT NULL,
	"titulo" varchar(200) NOT NULL,
	"subtitulo" varchar(300),
	"manifestoHtml" text NOT NULL,
	"baseCount" integer DEFAULT 0 NOT NULL,
	"heroImageUrl" varchar(500),
	"sheetTab" varchar(50) NOT NULL,
	"ogTitle" varchar(200),
	"ogDescription" varchar(500),
	"ogImageUrl" varchar(500),
	"themeColor" varchar(20) DEFAULT 'red' NOT NULL,
	"isActive" boolean DEFAULT true NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "campaigns_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "carousel_contents" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "carousel_contents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"titulo" varchar(200) NOT NULL,
	"categoria" varchar(50) NOT NULL,
	"descricao" text NOT NULL,
	"imagemUrl" varchar(500) NOT NULL,
	"ordem" integer DEFAULT 0 NOT NULL,
	"isActive" boolean DEFAULT true NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	"updatedAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "contacts" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" varchar(200) NOT NULL,
	"email" varchar(254) NOT NULL,
	"emailCanonico" varchar(254) NOT NULL,
	"whatsapp" varchar(11) NOT NULL,
	"tasks" text[] DEFAULT '{}' NOT NULL,
	"requestId" uuid NOT NULL,
	"aceitaNovidades" boolean DEFAULT false NOT NULL,
	"versaoConsentimento" varchar(20) NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contacts_request" UNIQUE("requestId","emailCanonico")
);
--> statement-breakpoint
CREATE TABLE "influenciadores" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" varchar(200) NOT NULL,
	"email" varchar(254) NOT NULL,
	"emailCanonico" varchar(254) NOT NULL,
	"whatsapp" varchar(11) NOT NULL,
	"cidade" varchar(120) NOT NULL,
	"estado" varchar(2) NOT NULL,
	"redesSociais" varchar(500) NOT NULL,
	"tasks" text[] DEFAULT '{}' NOT NULL,
	"requestId" uuid NOT NULL,
	"aceitaNovidades" boolean DEFAULT false NOT NULL,
	"versaoConsentimento" varchar(20) NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "influenciadores_request" UNIQUE("requestId","emailCanonico")
);
--> statement-breakpoint
CREATE TABLE "lideres" (
	"id" uuid PRIMARY KEY NOT NULL,
	"nome" varchar(200) NOT NULL,
	"email" varchar(254) NOT NULL,
	"emailCanonico" varchar(254) NOT NULL,
	"whatsapp" varchar(25) NOT NULL,
	"cpfCifrado" "bytea" NOT NULL,
	"cpfIndice" "bytea" NOT NULL,
	"cpfConfere" boolean NOT NULL,
	"nascimento" date NOT NULL,
	"genero" varchar(20) NOT NULL,
	"profissao" varchar(120) NOT NULL,
	"endereco" varchar(300) NOT NULL,
	"cidade" varchar(120) NOT NULL,
	"estado" varchar(2) NOT NULL,
	"cep" varchar(10) NOT NULL,
	"experiencia" text,
	"motivacao" text NOT NULL,
	"disponibilidade" text[] DEFAULT '{}' NOT NULL,
	"redes_sociais" varchar(500),
	"aceita_termos" boolean NOT NULL,
	"requestId" uuid NOT NULL,
	"aceitaNovidades" boolean DEFAULT false NOT NULL,
	"versaoConsentimento" varchar(20) NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "lideres_request" UNIQUE("requestId","emailCanonico")
);
--> statement-breakpoint
CREATE TABLE "media" (
	"sha256" varchar(64) NOT NULL,
	"formato" varchar(10) NOT NULL,
	"tipo" varchar(20) NOT NULL,
	"largura" integer NOT NULL,
	"altura" integer NOT NULL,
	"dados" "bytea" NOT NULL,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "media_sha256_formato_pk" PRIMARY KEY("sha256","formato")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tipo" varchar(40) NOT NULL,
	"dados" jsonb NOT NULL,
	"tentativas" integer DEFAULT 0 NOT NULL,
	"proxima" timestamp with time zone DEFAULT now() NOT NULL,
	"parada" boolean DEFAULT false NOT NULL,
	"motivo" text,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "peticoes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"campanha" varchar(100) DEFAULT 'juros' NOT NULL,
	"nome" varchar(200) NOT NULL,
	"email" varchar(254) NOT NULL,
	"emailCanonico" varchar(254) NOT NULL,
	"whatsapp" varchar(25) NOT NULL,
	"cidade" varchar(120) NOT NULL,
	"estado" varchar(2) NOT NULL,
	"redesSociais" varchar(500),
	"requestId" uuid NOT NULL,
	"aceitaNovidades" boolean DEFAULT false NOT NULL,
	"versaoConsentimento" varchar(20) NOT NULL,
	"confirmadoEm" timestamp with time zone,
	"avisadoEm" timestamp with time zone,
	"createdAt" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "peticoes_por_hora" (
	"campanha" varchar(100) NOT NULL,
	"estado" varchar(2) NOT NULL,
	"hora" timestamp with time zone NOT NULL,
	"n" integer NOT NULL,
	CONSTRAINT "peticoes_por_hora_campanha_estado_hora_pk" PRIMARY KEY("campanha","estado","hora")
);
--> statement-breakpoint
ALTER TABLE "admin_sessions" ADD CONSTRAINT "admin_sessions_adminUserId_admin_users_id_fk" FOREIGN KEY ("adminUserId") REFERENCES "public"."admin_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "admin_sessions_user" ON "admin_sessions" USING btree ("adminUserId");--> statement-breakpoint
CREATE INDEX "contacts_created" ON "contacts" USING btree ("createdAt");--> statement-breakpoint
CREATE INDEX "influenciadores_created" ON "influenciadores" USING btree ("createdAt");--> statement-breakpoint
CREATE INDEX "lideres_created" ON "lideres" USING btree ("createdAt");--> statement-breakpoint
CREATE INDEX "outbox_proxima" ON "outbox" USING btree ("proxima","id") WHERE not parada;--> statement-breakpoint
CREATE UNIQUE INDEX "peticoes_pessoa" ON "peticoes" USING btree ("campanha","emailCanonico");