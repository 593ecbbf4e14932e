ALTER TABLE "campaigns" ADD COLUMN "countingMode" varchar(10) DEFAULT 'signed' NOT NULL;--> statement-breakpoint
ALTER TABLE "peticoes_por_hora" ADD COLUMN "confirmed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Confirmations are counted in the hour in which they happened, so that those of today are known.
CREATE OR REPLACE FUNCTION count_confirmed_signature() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD."confirmadoEm" IS NOT NULL THEN
		INSERT INTO signature_count_changes (campanha, estado, hora, n, confirmed)
		VALUES (OLD.campanha, OLD.estado, date_trunc('hour', OLD."confirmadoEm"), 0, -1);
	END IF;
	IF TG_OP = 'UPDATE' AND NEW."confirmadoEm" IS NOT NULL THEN
		INSERT INTO signature_count_changes (campanha, estado, hora, n, confirmed)
		VALUES (NEW.campanha, NEW.estado, date_trunc('hour', NEW."confirmadoEm"), 0, 1);
	END IF;
	RETURN NULL;
END $$;
