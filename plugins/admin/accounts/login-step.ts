import { z } from "zod";
import { openText, sealText, sha256 } from "#lib/secrets";
import type { User } from "../../users/contract.js";

/** The code must be entered this soon after the password. */
const STEP_MS = 5 * 60_000;

const shape = z.object({
  userId: z.string(),
  /** The name that was entered, for the limit of failed logins. */
  name: z.string(),
  /** Another password ends the login. */
  password: z.string(),
  until: z.number(),
});
/** A login whose password was right, while the code is missing. */
export type LoginStep = z.infer<typeof shape>;

/** The key that seals a login, and the time. */
export interface StepSeal {
  readonly key: Buffer;
  /** Unix ms. */
  readonly now: number;
}

/** Seals a login for the form that asks for the code, so that it need not contain the password. */
export function sealStep(user: User, name: string, { key, now }: StepSeal): string {
  const password = passwordDigest(user);
  const step: LoginStep = { userId: user.id, name, password, until: now + STEP_MS };
  return sealText(JSON.stringify(step), key);
}

/** The sealed login; null when it is damaged, forged or expired. */
export function openStep(sealed: string, { key, now }: StepSeal): LoginStep | null {
  const text = openText(sealed, key);
  const { data } = shape.safeParse(text === null ? null : JSON.parse(text));
  return data !== undefined && data.until > now ? data : null;
}

/** True while the account has the password that was entered. */
export function isCurrentStep(step: Pick<LoginStep, "password">, user: User): boolean {
  return step.password === passwordDigest(user);
}

/** The digest of the password of an account: another password changes it. */
export function passwordDigest({ passwordHash = "" }: User): string {
  return sha256(passwordHash);
}
