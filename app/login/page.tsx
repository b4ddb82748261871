import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { serverOfProcess } from "#server/process-slot";
import { safeNext } from "#server/safe-next";
import { LoginForm } from "#components/entry/login-form";

interface LoginPageProps {
  readonly searchParams: Promise<Readonly<Record<string, string | readonly string[] | undefined>>>;
}

export default async function LoginPage({ searchParams }: LoginPageProps) {
  const server = await serverOfProcess();
  const { next } = await searchParams;
  const path = safeNext(typeof next === "string" ? next : null);
  if (await server.auth.isAllowed(await headers())) redirect(path);
  return <LoginForm basePath={server.settings.basePath} next={path} />;
}
