import type { Request, Response } from "express";
import type { EdgeStage, EdgeStep } from "../contracts.js";

/** The stages, in order. */
export const STAGES: readonly EdgeStage[] = ["observe", "protect", "answer", "cached"];

/** The edge of a site: the steps of all plugins as one function. */
export class Edge {
  readonly #steps = new Map<EdgeStage, EdgeStep[]>(STAGES.map((stage) => [stage, []]));

  add(stage: EdgeStage, step: EdgeStep): void {
    this.#steps.get(stage)?.push(step);
  }

  /**
   * The steps of `stages` (default: all) as one: true when one of them has responded. Stays synchronous
   * while they do.
   */
  compose(stages: readonly EdgeStage[] = STAGES): EdgeStep {
    const steps = stages.flatMap((stage) => this.#steps.get(stage) ?? []);
    return (req, res) => runFrom(steps, 0, req, res);
  }
}

function runFrom(
  steps: readonly EdgeStep[],
  start: number,
  req: Request,
  res: Response,
): boolean | Promise<boolean> {
  for (let at = start; at < steps.length; at += 1) {
    const outcome = steps[at]?.(req, res);
    if (outcome === true) return true;
    if (outcome instanceof Promise) {
      return outcome.then((answered) => answered === true || runFrom(steps, at + 1, req, res));
    }
  }
  return false;
}
