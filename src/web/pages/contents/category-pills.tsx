interface CategoryPillsProps {
  categories: string[]
  chosen: string
  onChoose(category: string): void
}

export function CategoryPills({ categories, chosen, onChoose }: CategoryPillsProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form, and these buttons submit nothing
    <div className="pills" role="group" aria-label="Filtrar por categoria">
      {categories.map((category) => (
        <button key={category} type="button" aria-pressed={category === chosen} onClick={() => onChoose(category)}>
          {category}
        </button>
      ))}
    </div>
  )
}
