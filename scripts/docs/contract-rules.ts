import { MAILER_RULES } from "../../plugins/email/testing/mailer-contract.js";
import {
  IMAGE_ENGINE_RULES,
  IMAGE_STORE_RULES,
} from "../../plugins/media/testing/image-contracts.js";
import { JOBS_RULES } from "../../plugins/jobs/testing/jobs-contract.js";
import { RECORDS_RULES } from "../../plugins/records/testing/records-contract.js";
import { ENGINE_RULES, RANKING_RULES } from "../../plugins/search/testing/engine-suite.js";
import { RATE_LIMIT_RULES } from "../../plugins/security/testing/rate-limit-contract.js";
import { SESSION_STORE_RULES } from "../../plugins/session/testing/session-store-contract.js";
import { AUTHZ_STORE_RULES } from "../../plugins/users/testing/authz-store-contract.js";
import { USER_STORE_RULES } from "../../plugins/users/testing/user-store-contract.js";
import type { Contracts } from "./contracts.js";
import { memberBlock } from "./reference-parts.js";

/** The rules of each contract suite but those of search, which has a page of its own. */
const SUITES = {
  "a user store": USER_STORE_RULES,
  "an authorization store": AUTHZ_STORE_RULES,
  "a session store": SESSION_STORE_RULES,
  "a mailer": MAILER_RULES,
  "an image engine": IMAGE_ENGINE_RULES,
  "an image store": IMAGE_STORE_RULES,
  "a rate limit": RATE_LIMIT_RULES,
  "a record store": RECORDS_RULES,
  "a job engine": JOBS_RULES,
};

/** What the contract suites check, with a heading for each slot. */
export function contractRules(): string {
  return Object.entries(SUITES)
    .map(([engine, rules]) => `### What ${engine} must do\n\n${ruleList(rules)}`)
    .join("\n\n");
}

/** What `searchEngineContract` checks. */
export function searchRules(): string {
  return ruleList(ENGINE_RULES);
}

/** What `searchRankingContract` checks. */
export function rankingRules(): string {
  return ruleList(RANKING_RULES);
}

/** Types that an author of a search engine meets, in this order. */
const SEARCH_TYPES = [
  "SearchTools",
  "Candidate",
  "TermMatch",
  "SearchResult",
  "SearchHit",
  "SuggestScope",
  "WordRange",
  "Explanation",
];

/** The signatures of the tools, and of the types that they name. */
export function searchTypes(contracts: Contracts): string {
  return SEARCH_TYPES.map(
    (name) =>
      `### ${name}\n\n${contracts.named(name).comment.text}\n\n${memberBlock(contracts.members(name))}`,
  ).join("\n\n");
}

function ruleList(rules: Readonly<Record<string, string>>): string {
  return [...new Set(Object.values(rules))].map((rule) => `- ${rule}`).join("\n");
}
