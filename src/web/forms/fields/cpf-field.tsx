import { useState } from 'react'
import { checkDigitsAreRight } from '#contract/cpf.ts'
import { afterBlur } from '#web/forms/fields/after-blur.ts'
import { TextField } from '#web/forms/fields/field.tsx'
import type { FieldState } from '#web/forms/submission/use-submission.ts'

// The validation rule reports shorter input.
const minLength = 11

/** Wrong check digits produce a hint, never an error. */
export function CpfField({ form, label }: { form: FieldState; label: string }) {
  const [doubtful, setDoubtful] = useState(false)
  return (
    <TextField
      form={form}
      name="cpf"
      label={label}
      hint="Guardado cifrado; serve para confirmar quem é você"
      required
      inputMode="numeric"
      autoComplete="off"
      onInput={() => setDoubtful(false)}
      aria-describedby={doubtful ? 'cpf-duvida' : undefined}
      onBlur={({ currentTarget: { value } }) =>
        afterBlur(() => setDoubtful(value.trim().length >= minLength && !checkDigitsAreRight(value)))
      }
    >
      <p className="doubt" id="cpf-duvida" role="status">
        {doubtful &&
          'Confira o CPF: os dois últimos dígitos não combinam com os outros. Se estiver certo, pode continuar.'}
      </p>
    </TextField>
  )
}
