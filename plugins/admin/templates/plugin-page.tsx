import type { ComponentChild, VNode } from "preact";
import { Frame, type FrameProps } from "./frame.js";

/** A plugin's page in the panel's frame. */
export function PluginPage({
  frame,
  content,
}: {
  frame: Omit<FrameProps, "children">;
  content: ComponentChild;
}): VNode {
  return (
    <Frame {...frame}>
      <h1>{frame.title}</h1>
      {content}
    </Frame>
  );
}
