/** Pictures. */
import { Image } from "lucide";
import type { EditorBlock } from "./block.js";
import { t } from "./block-texts.js";

/** Pictures. */
export const pictureBlock: EditorBlock = {
  name: "picture",
  entries: [
    {
      label: t("picture"),
      hint: t("picture.hint"),
      synonyms: "image photo upload bild foto",
      icon: Image,
      group: "media",
      needsImages: true,
      run: (_view, { onImage }) => onImage?.(),
    },
  ],
};
