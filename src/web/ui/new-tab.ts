export const newTab = { target: '_blank', rel: 'noopener noreferrer' } as const
