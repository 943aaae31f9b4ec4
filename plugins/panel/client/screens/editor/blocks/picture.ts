/** Pictures. */
import { Image } from "lucide";
import { blockText as t, type EditorBlock } from "./block.js";

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
      run: (_view, { onImage }) => onImage(),
    },
  ],
};
