import { type RouteObject, useRoutes } from 'react-router'

export function Pages({ routes }: { routes: RouteObject[] }) {
  return useRoutes(routes)
}
