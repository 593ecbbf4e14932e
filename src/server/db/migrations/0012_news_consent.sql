ALTER TABLE "enderecos" ADD COLUMN "doNotContactAt" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "contacts_mailbox" ON "contacts" USING btree (regexp_replace("emailCanonico", '^([^+]+)\+.*(@[^@]*)$', '\1\2'));--> statement-breakpoint
CREATE INDEX "influenciadores_mailbox" ON "influenciadores" USING btree (regexp_replace("emailCanonico", '^([^+]+)\+.*(@[^@]*)$', '\1\2'));--> statement-breakpoint
CREATE INDEX "lideres_mailbox" ON "lideres" USING btree (regexp_replace("emailCanonico", '^([^+]+)\+.*(@[^@]*)$', '\1\2'));--> statement-breakpoint
-- What was remembered under an address with a +tag is remembered under its mailbox from now on.
CREATE TEMPORARY TABLE mailbox_keys AS
SELECT DISTINCT sha256(convert_to(address, 'UTF8')) AS address, sha256(convert_to(mailbox, 'UTF8')) AS mailbox FROM (
	SELECT address, regexp_replace(address, '^([^+]+)\+.*(@[^@]*)$', '\1\2') AS mailbox FROM (
		SELECT "emailCanonico" AS address FROM "peticoes" WHERE "emailCanonico" LIKE '%+%'
		UNION SELECT "emailCanonico" FROM "contacts" WHERE "emailCanonico" LIKE '%+%'
		UNION SELECT "emailCanonico" FROM "influenciadores" WHERE "emailCanonico" LIKE '%+%'
		UNION SELECT "emailCanonico" FROM "lideres" WHERE "emailCanonico" LIKE '%+%') tagged) keys
WHERE address <> mailbox;
--> statement-breakpoint
INSERT INTO "enderecos" ("endereco", "descadastradoEm", "avisadoEm")
SELECT mailbox, min("descadastradoEm"), max("avisadoEm") FROM "enderecos" JOIN mailbox_keys ON "endereco" = address
WHERE "descadastradoEm" IS NOT NULL OR "avisadoEm" IS NOT NULL GROUP BY mailbox
ON CONFLICT ("endereco") DO UPDATE SET
	"descadastradoEm" = least("enderecos"."descadastradoEm", excluded."descadastradoEm"),
	"avisadoEm" = greatest("enderecos"."avisadoEm", excluded."avisadoEm");
--> statement-breakpoint
UPDATE "enderecos" SET "descadastradoEm" = NULL, "avisadoEm" = NULL FROM mailbox_keys WHERE "endereco" = address;
--> statement-breakpoint
INSERT INTO "emails_por_endereco" ("endereco", "campanha", "n")
SELECT mailbox, "campanha", least(sum("n"), 5) FROM "emails_por_endereco" JOIN mailbox_keys ON "endereco" = address
GROUP BY mailbox, "campanha"
ON CONFLICT ("endereco", "campanha") DO UPDATE SET "n" = least("emails_por_endereco"."n" + excluded."n", 5);
--> statement-breakpoint
DELETE FROM "emails_por_endereco" USING mailbox_keys WHERE "endereco" = address;
--> statement-breakpoint
UPDATE "email_tokens" SET "endereco" = mailbox FROM mailbox_keys WHERE "endereco" = address;
--> statement-breakpoint
DROP TABLE mailbox_keys;
--> statement-breakpoint
-- Rows that stand in the spreadsheet already get the present consent and the new columns.
INSERT INTO "outbox" ("tipo", "dados")
SELECT 'planilha-atualizar', jsonb_build_object('aba', tab, 'tabela', records, 'ids', jsonb_agg(id)) FROM (
	SELECT tab, records, id, (row_number() OVER (PARTITION BY records, tab ORDER BY id) - 1) / 1000 AS part FROM (
		SELECT coalesce("sheetTab", "campanha") AS tab, 'peticoes' AS records, "peticoes"."id" FROM "peticoes" LEFT JOIN "campaigns" ON "slug" = "campanha"
		UNION ALL SELECT 'Voluntarios', 'contacts', "id" FROM "contacts"
		UNION ALL SELECT 'Influenciadores', 'influenciadores', "id" FROM "influenciadores"
		UNION ALL SELECT 'Lideres', 'lideres', "id" FROM "lideres") stored) parts
GROUP BY tab, records, part;
