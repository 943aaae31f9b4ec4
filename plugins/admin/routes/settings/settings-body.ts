import { z } from "zod";

/** Maximum size of a change of settings, in bytes. */
export const SETTINGS_BYTES = 2 * 1_048_576;
/** Why a change is rejected that contains the mask of a secret. */
export const MASKED =
  "a masked value cannot be saved: enter the secret again, or refer to a variable such as $API_KEY";

/** Keys to set in a file or a block. */
export const changesBody = z.object({
  changes: z
    .array(z.object({ key: z.string().min(1).max(512), value: z.json() }))
    .min(1)
    .max(200)
    .describe("Dotted keys with their new values; null removes a key"),
});
