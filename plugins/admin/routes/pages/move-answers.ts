import { z } from "zod";
import { changed } from "../answers.js";

const text = z.string();

/** Responses of the routes that move pages. */
export const moveAnswers = {
  pageMove: {
    200: z.object({
      moved: z.literal(true),
      path: text,
      to: text,
      rewritten: z.array(text),
      redirects: z.record(z.string(), text),
    }),
    ...changed,
  },
  pageReorder: {
    200: z.object({ sourcePath: text, moves: z.array(z.object({ path: text, to: text })) }),
    ...changed,
  },
} as const;
