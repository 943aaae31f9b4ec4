// Writes the contract of this version to the file that is given: see plugins/upgrade.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { withDocsSite } from "./docs/docs-site.js";
import { versionContract } from "./docs/version-contract.js";

const [, , file] = process.argv;
if (file === undefined) throw new Error("pass the file to write");
const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const contract = await withDocsSite((open) => versionContract(root, open));
writeFileSync(file, `${JSON.stringify(contract, null, 1)}\n`);
