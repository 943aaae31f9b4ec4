import { safeNext } from "#kernel";
import { z } from "zod";

/** The first value of a repeated parameter. */
function first(value: unknown): unknown {
  return Array.isArray(value) ? first(value[0]) : value;
}
const optionalText = z.preprocess(first, z.string().optional().catch(undefined));

/** `?next=`: a path on this site, else `/`. */
export const nextParam = z.preprocess(first, z.unknown()).transform(safeNext);

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
