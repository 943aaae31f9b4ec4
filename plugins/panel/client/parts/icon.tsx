import type { IconNode } from "lucide";
import { h, type VNode } from "preact";

interface IconProps {
  of: IconNode;
  /** Pixels. */
  size?: number;
}

/** A decorative icon; the control around it has the name. */
export function Icon({ of, size = 18 }: IconProps): VNode {
  return (
    <svg
      class="icon-drawing"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {of.map(([tag, attributes]) => h(tag, { ...attributes }))}
    </svg>
  );
}
