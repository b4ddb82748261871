import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { PageRoot } from "#components/desk/page-root";
import { geist, geistCyrillic, geistExtended, geistSymbols, hanken, hankenExtended, hankenVietnamese } from "./fonts";
import "./globals.css";

export const metadata: Metadata = { title: "Hermes", description: "A workbench for agents whose runs outlive the tab." };

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  // A keyboard on a phone takes room from the page, so that the composer stays in view.
  interactiveWidget: "resizes-content",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfcf9" },
    { media: "(prefers-color-scheme: dark)", color: "#161a19" },
  ],
};

const FONTS = [hanken, hankenExtended, hankenVietnamese, geist, geistExtended, geistCyrillic, geistSymbols].map((font) => font.variable).join(" ");

export default function Layout({ children }: { readonly children: ReactNode }) {
  return <PageRoot fonts={FONTS}>{children}</PageRoot>;
}
