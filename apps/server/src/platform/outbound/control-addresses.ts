/** Addresses at which clouds give a machine its credentials and settings, however IPv6 spells them. */
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

const CONTROL_ADDRESSES = new Set(
  [
    // AWS, Azure, Google, Oracle, DigitalOcean, OpenStack; AWS's credentials of tasks and of pods
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "169.254.0.23",
    "fd00:ec2::254",
    "fd00:ec2::23",
    "fd20:ce::254",
    // Alibaba, Oracle before, Azure's own; the last reads as public
    "100.100.100.200",
    "192.0.0.192",
    "168.63.129.16",
  ].map((text) => ipaddr.parse(text).toString()),
);

export const isControlAddress = (address: Address): boolean =>
  [address, ...embeddedIpv4(address)].some((one) => CONTROL_ADDRESSES.has(one.toString()));

/** Reaches what is on the same wire, which no name server has a say in. */
export const isLinkLocal = (address: Address): boolean =>
  [address, ...embeddedIpv4(address)].some((one) => one.range() === "linkLocal");

/** Bytes before the IPv4 address in a network's own NAT64 prefix (RFC 6052); byte 8 is skipped. */
const NAT64_PREFIX_BYTES = [4, 5, 6, 7, 8, 12];
const LOCAL_NAT64 = ipaddr.IPv6.parseCIDR("64:ff9b:1::/48");

/** The IPv4 addresses that a translator or tunnel would send packets for this one to. */
function embeddedIpv4(address: Address): ipaddr.IPv4[] {
  if (!(address instanceof ipaddr.IPv6)) return [];
  const bytes = address.toByteArray();
  const at = (positions: readonly number[]) => new ipaddr.IPv4(positions.map((position) => bytes[position] ?? 0));
  // Mapped, compatible, translated, NAT64 by any prefix of 96 bits, and ISATAP: all end with the address.
  const found = [at([12, 13, 14, 15])];
  const range = address.range();
  if (range === "6to4") found.push(at([2, 3, 4, 5]));
  if (range === "teredo") found.push(new ipaddr.IPv4(bytes.slice(12).map((byte) => byte ^ 0xff)), at([4, 5, 6, 7]));
  if (address.match(LOCAL_NAT64))
    for (const start of NAT64_PREFIX_BYTES)
      found.push(
        at(
          Array.from({ length: 5 }, (_, index) => start + index)
            .filter((position) => position !== 8)
            .slice(0, 4),
        ),
      );
  return found;
}
