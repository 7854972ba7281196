/** The product's mark: two arcs, one turning into the other, around one point they agree on. */
import { PRODUCT } from "@accord/contracts";

export function Mark({ size = 26 }: { size?: number }) {
  return <img className="ac-mark" src="/mark.svg" width={size} height={size} alt="" aria-hidden />;
}

export const ProductName = () => <span className="ac-product-name">{PRODUCT.name}</span>;
