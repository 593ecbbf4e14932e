CREATE OR REPLACE FUNCTION count_confirmed_signature() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF OLD."confirmadoEm" IS NOT NULL THEN
		INSERT INTO signature_count_changes (campanha, estado, hora, n, confirmed)
		VALUES (OLD.campanha, OLD.estado, date_trunc('hour', OLD."createdAt"), 0, -1);
	END IF;
	IF TG_OP = 'UPDATE' AND NEW."confirmadoEm" IS NOT NULL THEN
		INSERT INTO signature_count_changes (campanha, estado, hora, n, confirmed)
		VALUES (NEW.campanha, NEW.estado, date_trunc('hour', NEW."createdAt"), 0, 1);
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER count_confirmed_update AFTER UPDATE OF "confirmadoEm", "campanha" ON "peticoes" FOR EACH ROW
WHEN ((OLD."confirmadoEm" IS NULL) <> (NEW."confirmadoEm" IS NULL) OR OLD."campanha" <> NEW."campanha")
EXECUTE FUNCTION count_confirmed_signature();--> statement-breakpoint
CREATE TRIGGER count_confirmed_delete AFTER DELETE ON "peticoes" FOR EACH ROW
WHEN (OLD."confirmadoEm" IS NOT NULL)
EXECUTE FUNCTION count_confirmed_signature();
