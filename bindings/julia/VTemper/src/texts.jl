# Texts that travel with data and models: of the observations, such as names and dates of documents, and notes about the
# whole, such as how raw text became words. Files keep them.

"""
    row_texts(data)
    row_texts(data, field)

The text fields of the observations, such as "name" and "date"; or the texts of one field, one per observation.
"""
function row_texts(data::Data)
    count = number(out -> vtemper_data_row_field_count(data, out), Int32)
    return [owned_text(out -> vtemper_data_row_field_name(data, Int32(index), out)) for index in 0:count-1]
end

function row_texts(data::Data, field::Union{AbstractString,Symbol})
    known_fields = row_texts(data)
    string(field) in known_fields || throw(ArgumentError("the observations have no texts \"$field\"" *
                                                         (isempty(known_fields) ? "" : "; they have $(join(known_fields, ", "))")))
    return [owned_text(out -> vtemper_data_row_text(data, string(field), Int64(row), out)) for row in 0:rows(data)-1]
end

function set_row_texts(data, field, texts)
    list = String[string(text) for text in texts]
    check(vtemper_data_set_row_texts(data, string(field), list, length(list)))
end

"""
    notes(data)
    notes(model)

The notes of the data or the model, a dictionary of texts: "text.recipe" is how raw text became
words, "ending" how a fit ended if it did not settle.
"""
notes(data::Data) = notes_of(data, vtemper_data_note_count, vtemper_data_note_name, vtemper_data_note)
notes(model::Model) = notes_of(model, vtemper_model_note_count, vtemper_model_note_name, vtemper_model_note)

function notes_of(owner, count, name, text)
    names = [owned_text(out -> name(owner, Int32(index), out)) for index in 0:number(out -> count(owner, out), Int32)-1]
    return Dict(name => owned_text(out -> text(owner, name, out)) for name in names)
end
