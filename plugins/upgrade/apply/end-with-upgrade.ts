/** A check ends with the upgrade that started it: the next start brings the former version back. */
import { upgradeState } from "../installation.js";
import { upgradingProcess } from "./journal.js";

const POLL_MS = 250;

/**
 * Ends this process soon after the upgrade that started it was killed. Otherwise the check could migrate the
 * configuration after the former version is back. Does nothing for a check that a person started.
 */
export async function endWithUpgrade(): Promise<void> {
  const parent = await upgradingProcess(upgradeState());
  if (parent === null) return;
  endWithout(parent);
  setInterval(endWithout, POLL_MS, parent).unref();
}

function endWithout(parent: number): void {
  // An orphan has another parent.
  if (process.ppid !== parent) process.exit(1);
}
