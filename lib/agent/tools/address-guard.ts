/**
 * N1 No request reaches an inside address. Each address that a name resolves to is looked at, and
 * only those that passed are handed to the socket, so that a name can't mean one thing when it is
 * checked and another when it is connected to. Addresses inside other addresses (v4 in v6, 6to4,
 * NAT64, Teredo) count as what they hold or are refused.
 */
import { lookup as resolveName } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

const INSIDE_V4 = [
  ["0.0.0.0", 8], ["10.0.0.0", 8], ["100.64.0.0", 10], ["127.0.0.0", 8], ["169.254.0.0", 16], ["172.16.0.0", 12], ["192.0.0.0", 24], ["192.0.2.0", 24],
  ["192.88.99.0", 24], ["192.168.0.0", 16], ["198.18.0.0", 15], ["198.51.100.0", 24], ["203.0.113.0", 24], ["224.0.0.0", 4], ["240.0.0.0", 4],
] as const;
/** `::/96` holds unspecified, loopback and v4-compatible ones; outside `2000::/3` nothing is public. */
const INSIDE_V6 = [
  ["::", 96], ["64:ff9b::", 96], ["64:ff9b:1::", 48], ["100::", 64], ["2001::", 32], ["2001:db8::", 32], ["2002::", 16], ["3fff::", 20],
  ["5f00::", 16], ["fc00::", 7], ["fe80::", 10], ["fec0::", 10], ["ff00::", 8],
] as const;

/** Says of an address and port of the inside that they may be reached all the same. */
export type AllowInside = (place: { readonly address: string; readonly port: number }) => boolean;

export interface AddressGuard {
  /** `address`: an IP, without brackets. */
  permits(address: string, port: number): boolean;
  /** For a socket to that port: resolves a name to those of its addresses that are permitted. */
  lookupFor(port: number): LookupFunction;
}

/** The error of a lookup that found inside addresses only. */
export const INSIDE_ADDRESS = "INSIDE_ADDRESS";

function insideList(): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of INSIDE_V4) list.addSubnet(network, prefix, "ipv4");
  for (const [network, prefix] of INSIDE_V6) list.addSubnet(network, prefix, "ipv6");
  return list;
}

export function createAddressGuard(allowInside: AllowInside): AddressGuard {
  // A v4 address in v6 clothes (`::ffff:127.0.0.1`) is checked against the v4 rules by BlockList itself.
  const inside = insideList();
  const permits = (address: string, port: number): boolean => {
    const family = isIP(address);
    if (family === 0) return false;
    return !inside.check(address, family === 6 ? "ipv6" : "ipv4") || allowInside({ address, port });
  };
  const lookupFor = (port: number): LookupFunction => (name, options, done) => {
    resolveName(name, { family: options.family, hints: options.hints, all: true }, (error, addresses) => {
      if (error !== null) return done(error, "", 0);
      const permitted = addresses.filter(({ address }) => permits(address, port));
      const first = permitted[0];
      if (first === undefined) return done(Object.assign(new Error("inside address"), { code: INSIDE_ADDRESS }), "", 0);
      if (options.all === true) return done(null, permitted);
      done(null, first.address, first.family);
    });
  };
  return { permits, lookupFor };
}
