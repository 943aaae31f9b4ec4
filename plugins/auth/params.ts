import { z } from "zod";
import { nextParam } from "./next-address.js";

/** The first value of a repeated parameter. */
function firstValue(value: unknown): unknown {
  return Array.isArray(value) ? firstValue(value[0]) : value;
}

const optionalText = z.preprocess(firstValue, z.string().optional().catch(undefined));

/** Query of the login page. */
export const loginQuery = z.object({ next: nextParam, error: optionalText });
/** Query of a login's start. */
export const startQuery = z.object({ next: nextParam, confirm: optionalText });
/** Query of a provider's callback. */
export const callbackQuery = z.object({
  code: optionalText,
  state: optionalText,
  error: optionalText,
});
/** Query of a magic link, and body of its confirmation. */
export const magicQuery = z.object({ token: optionalText });
/** Body of a request for a magic link. */
export const magicBody = z.object({ email: z.unknown(), next: nextParam });
