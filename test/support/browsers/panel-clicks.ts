// The table of clicks in the docs of the panel: the journeys must need as many as it says.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repository } from "../repository.js";

const PAGE = join(repository, "content/03.write/01.panel/docs.md");
const HEADING = "## How many clicks";

/** The presses of the pointer for one job; null: the product cannot do it. */
export interface JobClicks {
  job: string;
  sitewright: number;
  kirby: number | null;
  ghost: number | null;
}

/** All rows of the table. */
export function documentedClicks(): readonly JobClicks[] {
  const page = readFileSync(PAGE, "utf8");
  const section = page.slice(page.indexOf(HEADING) + HEADING.length).split(/^## /m)[0] ?? "";
  const rows = section.split("\n").filter((line) => line.startsWith("| "));
  return rows.slice(1).map((row) => {
    const [job = "", , sitewright = "", kirby = "", ghost = ""] = row.split("|").slice(1);
    const own = countOf(sitewright) ?? assert.fail(`${job}: no count for Sitewright`);
    return { job: job.trim(), sitewright: own, kirby: countOf(kirby), ghost: countOf(ghost) };
  });
}

/** The row of a job. */
export function clicksOf(job: string): JobClicks {
  return documentedClicks().find((row) => row.job === job) ?? assert.fail(`no row for ${job}`);
}

function countOf(cell: string): number | null {
  const text = cell.replaceAll(/\[\^\w+\]/g, "").trim();
  if (text === "–") return null;
  assert.match(text, /^\d+$/, `not a count: ${cell}`);
  return Number(text);
}
