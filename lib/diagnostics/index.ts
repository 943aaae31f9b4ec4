/** Findings of `site doctor`, and checks that several plugins share. Runs in Node.js. */
export {
  type Finding,
  type FindingLevel,
  type NamedCheck,
  OTHERS,
  postgresCheck,
  privateFoldersCheck,
  redisCheck,
  skewFinding,
} from "./diagnostics.js";
