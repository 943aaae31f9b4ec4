// `npm run check:imports`: checks imports against test/architecture/dependency-rules.cjs.
import { cruiseSources, sourceFiles } from "./module-graph.js";

const { modules, summary } = await cruiseSources();
const comments = new Map(summary.ruleSetUsed?.forbidden?.map((rule) => [rule.name, rule.comment]));
for (const { rule, from, to, cycle } of summary.violations) {
  const path = cycle ? [from, ...cycle.map((step) => step.name)].join(" → ") : `${from} → ${to}`;
  console.error(`${rule.name}: ${path}\n    ${comments.get(rule.name)}`);
}
const seen = new Set(modules.map((module) => module.source));
const unseen = sourceFiles().filter((file) => !seen.has(file));
if (unseen.length > 0) console.error(`dependency-cruiser missed ${unseen.join(", ")}`);
console.log(`${modules.length} modules, ${summary.violations.length} violations`);
process.exitCode = summary.violations.length + unseen.length > 0 ? 1 : 0;
