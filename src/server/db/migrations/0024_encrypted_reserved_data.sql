ALTER TABLE "lideres" ALTER COLUMN "nascimento" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "lideres" ALTER COLUMN "endereco" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "lideres" ALTER COLUMN "cep" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "lideres" ADD COLUMN "encryptedReserved" "bytea";--> statement-breakpoint
CREATE INDEX "lideres_not_encrypted" ON "lideres" USING btree ("id") WHERE "encryptedReserved" is null;