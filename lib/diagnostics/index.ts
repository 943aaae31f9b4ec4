/** Findings of `site doctor`, and checks that several plugins share. Runs in Node.js. */
export { skewFinding, type Finding, type FindingLevel, type NamedCheck } from "./finding.js";
export { OTHERS, privateFoldersCheck } from "./private-folders.js";
export { postgresCheck, redisCheck } from "./store-checks.js";
