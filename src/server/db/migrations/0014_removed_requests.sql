CREATE TABLE "removed_requests" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"removedAt" timestamp with time zone DEFAULT now() NOT NULL
);
