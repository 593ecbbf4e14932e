DROP INDEX "people_workflow_owner";--> statement-breakpoint
CREATE INDEX "people_workflow_owner" ON "people_workflow" USING btree ("ownerId","kind","id");