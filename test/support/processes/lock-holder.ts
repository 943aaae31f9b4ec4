// A process that holds a lock until it is killed; argument: <file>
import { SiteError } from "#kernel";
import { ProcessLock } from "#lib/files";

const [file = ""] = process.argv.slice(2);
await ProcessLock.acquire(file, { locked: () => new SiteError("ERR_ROOT_LOCKED", "locked", {}) });
process.stdout.write("held\n");
setInterval(() => undefined, 60_000);
