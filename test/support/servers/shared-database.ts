import { SharedDatabase } from "#lib/databases";
import { sharedSchema } from "../../../plugins/postgres/engines/tables.js";
import { postgresDown } from "../../../plugins/postgres/errors.js";

/** The database that nodes of the site `Test` share; the caller closes it. */
export function sharedDatabase(url: string): SharedDatabase {
  return new SharedDatabase({
    url,
    site: "Test",
    onLost: () => undefined,
    schema: sharedSchema,
    toError: postgresDown,
    onChange: () => undefined,
  });
}
