// The floor of a start: walks the same tree, reads the same bytes, serves requests.
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";

const [root, port] = process.argv.slice(2);
let bytes = 0;
const pending = [join(root, "content")];
for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) pending.push(path);
    else bytes += readFileSync(path).length;
  }
}
createServer((_req, res) => res.end(String(bytes))).listen(Number(port), "127.0.0.1");
process.on("SIGTERM", () => process.exit(0));
