from hccd._kernels.search.coded_columns import CodedColumns

class RowCodes:
    def __init__(self, columns: CodedColumns) -> None: ...
